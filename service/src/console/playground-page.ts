import { markup } from "@devid/rules/internals";
import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import { group } from "./form";
import type { ConsolePage } from "./html";
import { FEWEST, VISITS } from "./tables";

/** How many keys the playground offers; any other one can be typed. */
const MOST_KEYS = 100;

/**
 * A page that loads the agent of a region and offers its options to try. The visits
 * below its results say which rule decided.
 */
export function playgroundPage(context: Context, region: Region): ConsolePage {
  const { rows: keys } = context.store.apiKeys.page(
    region,
    { type: "public" },
    { after: 0 },
    MOST_KEYS,
  );
  return {
    title: `playground of ${region}`,
    region,
    of: (other) => other && `/playground/${other}`,
    form: markup`<form id="options" data-region="${region}">
        ${group("start()", [
          {
            id: "apiKey",
            help: "A public key of this workspace; it is part of the script's address.",
            value: keys[0]?.token,
            attributes: markup`required list="keys"`,
          },
          {
            id: "storageKeyPrefix",
            help: "What the browser keeps is named after it. A change forgets visitors.",
            attributes: markup`placeholder="_vid_"`,
          },
          {
            id: "endpoints",
            help: "Addresses, a line for each, tried in this order. This page may only reach its own origin.",
            rows: 2,
          },
          {
            id: "withoutDefault",
            label: markup`Try these endpoints only, not the address of the script
              as the last one (<code>withoutDefault</code>)`,
            isTicked: false,
          },
        ])}
        ${group("get()", [
          {
            id: "linkedId",
            help: "At most 256 characters.",
          },
          {
            id: "tag",
            help: "JSON, or a plain text.",
            attributes: markup`placeholder="{&quot;plan&quot;: &quot;pro&quot;}"`,
            rows: 3,
          },
          {
            id: "timeout",
            help: "Milliseconds. Below 2000, weak devices may fail.",
            attributes: markup`type="number" min="1" placeholder="10000"`,
          },
        ])}
        <datalist id="keys">
          ${keys.map(({ token, name }) => markup`<option value="${token}">${name}</option>`)}
        </datalist>
        <p class="actions">
          <button type="submit" class="main">Identify</button>
          <button type="button" id="forget">Forget this browser</button>
        </p>
      </form>
      <h2 id="results-title">Results</h2>
      <div id="results" role="log" aria-labelledby="results-title">
        <p class="empty">
          None yet. The options <code>urlHashing</code> and <code>cache</code>
          belong to the vendor's npm package, not to a page that imports the
          script itself, as this one does.
        </p>
      </div>`,
    sections: [VISITS.section(context, [region], FEWEST)],
    scripts: ["console.js", "playground.js"],
  };
}
