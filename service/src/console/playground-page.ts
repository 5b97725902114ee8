import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import { header, page } from "./html/elements";
import { type MarkupPart, markup, type Markup } from "@devid/review/internals";

/** How many keys the playground offers; any other one can be typed. */
const MOST_KEYS = 100;

/** A page that loads the agent of a region and offers its options to try. */
export function playgroundPage({ store }: Context, region: Region): Markup {
  const keys = store.apiKeys.page(
    region,
    { type: "public" },
    { after: 0 },
    MOST_KEYS,
  ).rows;
  return page(
    `devid playground ${region}`,
    markup`${header(`playground of ${region}`, markup`<a href="/?region=${region}">Console of ${region}</a>`)}
      <main id="main">
        <form id="options" data-region="${region}">
          <fieldset>
            <legend>start()</legend>
            ${field("apiKey", "A public key of this workspace; it is part of the script's address.", markup`<input id="apiKey" name="apiKey" list="keys" required autocomplete="off" spellcheck="false" aria-describedby="apiKey-help" value="${keys[0]?.token}" />`)}
            <datalist id="keys">
              ${keys.map(({ token, name }) => markup`<option value="${token}">${name}</option>`)}
            </datalist>
            ${field("storageKeyPrefix", "What the browser keeps is named after it. A change forgets visitors.", markup`<input id="storageKeyPrefix" name="storageKeyPrefix" autocomplete="off" spellcheck="false" placeholder="_vid_" aria-describedby="storageKeyPrefix-help" />`)}
            ${field("endpoints", "Addresses, a line for each, tried in this order. This page may only reach its own origin.", markup`<textarea id="endpoints" name="endpoints" rows="2" spellcheck="false" aria-describedby="endpoints-help"></textarea>`)}
            <p class="field">
              <label
                ><input type="checkbox" name="withoutDefault" /> Try these
                endpoints only, not the address of the script as the last one
                (<code>withoutDefault</code>)</label
              >
            </p>
          </fieldset>
          <fieldset>
            <legend>get()</legend>
            ${field("linkedId", "At most 256 characters.", markup`<input id="linkedId" name="linkedId" autocomplete="off" aria-describedby="linkedId-help" />`)}
            ${field("tag", "JSON, or a plain text.", markup`<textarea id="tag" name="tag" rows="3" spellcheck="false" aria-describedby="tag-help" placeholder='{"plan": "pro"}'></textarea>`)}
            ${field("timeout", "Milliseconds. Below 2000, weak devices may fail.", markup`<input id="timeout" name="timeout" type="number" min="1" placeholder="10000" aria-describedby="timeout-help" />`)}
          </fieldset>
          <p>
            <button type="submit">Identify</button>
            <button type="button" id="forget">Forget this browser</button>
          </p>
        </form>
        <section aria-labelledby="results-title">
          <h2 id="results-title">Results</h2>
          <div id="results" role="log" aria-live="polite">
            <p class="empty">
              None yet. The options <code>urlHashing</code> and
              <code>cache</code> belong to the vendor's npm package, not to a
              page that imports the script itself, as this one does.
            </p>
          </div>
        </section>
      </main>`,
    "playground.js",
  );
}

function field(id: string, help: string, input: MarkupPart): Markup {
  return markup`<p class="field">
    <label for="${id}">${id}</label>${input}<small id="${id}-help"
      >${help}</small
    >
  </p>`;
}
