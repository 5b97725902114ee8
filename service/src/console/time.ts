import { html, type Html } from "./html";

/** A time of the service's clock, in UTC, to the second; the rest of it on hovering. */
export function time(at: string | number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" title="${iso}"
    >${iso.slice(0, 10)} <b>${iso.slice(11, 19)}</b></time
  >`;
}
