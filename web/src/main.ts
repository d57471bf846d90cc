import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followLanguage, loadLanguage } from "./i18n/index.svelte";
import { followPreferences } from "./preferences.svelte";
import { followAddress } from "./router.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no element with the id app.");

followPreferences();
followAddress();
await loadLanguage().catch(() => undefined);
followLanguage();
mount(App, { target });
