// The pages of the console, which are loaded for the first request for one of them, to
// keep the start short.
export { consolePage, SECTIONS } from "./console-page";
export { decisionPage, deliveryPage, eventPage } from "./detail-pages";
export { playgroundPage } from "./playground-page";
export { sectionRenderer } from "./rendered-sections";
