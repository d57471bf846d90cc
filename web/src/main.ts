import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followLanguage, loadLanguage } from "./i18n/index.svelte";
import { fetchPage } from "./loading";
import { followNetwork } from "./net/reach.svelte";
import { followPreferences } from "./preferences.svelte";
import { followAddress, route } from "./router.svelte";
import { followWebApp } from "./webApp.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no element with the id app.");

followPreferences();
followAddress();
followNetwork();
fetchPage(route.place.page);
await loadLanguage().catch(() => undefined);
followLanguage();
mount(App, { target });
followWebApp();
