import { mount } from "svelte";
import App from "./App.svelte";
import { followLanguage, loadLanguage } from "./i18n/index.svelte";
import { followPreferences } from "./lib/preferences.svelte";
import { followAddress } from "./router.svelte";
import "./app.css";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no element with the id app.");

followPreferences();
followAddress();
await loadLanguage().catch(() => undefined);
followLanguage();
mount(App, { target });
