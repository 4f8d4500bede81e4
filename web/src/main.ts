import "./house/begin";
import "@fontsource/barlow/latin-500.css";
import "@fontsource/barlow/latin-700.css";
import "@fontsource/barlow-condensed/latin-600.css";
import "@fontsource/cinzel/latin-700.css";
import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");
mount(App, { target });

// A page without a connection says so, and goes on by itself; see sw.js. To start what sees to that
// takes a processor for a while, which the table has first.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  setTimeout(() => void navigator.serviceWorker.register("/sw.js"), 1500);
}
