from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser


def test_the_browser_shows_a_page_and_axe_looks_at_it(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang=en><title>Page</title><main><h1>Kingdom Builder</h1></main></html>")
    assert page.get_by_role("heading").inner_text() == "Kingdom Builder"
    assert Axe().run(page).violations_count == 0
    page.close()
