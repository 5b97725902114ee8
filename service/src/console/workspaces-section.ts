import type { Region } from "@devid/sdk";
import { settingsOf } from "../workspace/settings";
import type { Store } from "../store/store";
import { badge, facts, short } from "./html/elements";
import { type MarkupPart, markup, type Markup } from "@devid/review/internals";
import { rulePlaygroundPath } from "./rule-playground/rule-playground-path";
import type { Section, Shown } from "./section";

/** How many environments a card names. */
const NAMED = 10;

/** A card for each workspace: what it holds, and its settings. */
export const WORKSPACES_SECTION: Section = {
  id: "workspaces",
  title: "Workspaces",
  render: (shown, regions) =>
    markup`<div class="cards">
      ${regions.map((region) => card(shown, region))}
    </div>`,
};

function card({ store }: Shown, region: Region): Markup {
  const settings = settingsOf(store, region);
  const { webhooks } = store;
  return markup`<article class="card">
    <h3>${region}</h3>
    ${facts([
      ["Environments", environmentsOf(store, region)],
      ["API keys", store.apiKeys.count(region)],
      [
        "Webhooks",
        `${webhooks.count(region)}, ${webhooks.count(region, { verified: true })} verified`,
      ],
      ["Filtering rules", store.filteringRules.count(region)],
      [
        "Encryption keys enabled",
        store.encryptionKeys.count(region, { status: "enabled" }),
      ],
    ])}
    <p>
      ${settings.sealed && badge("plain", "sealed results")}
      ${settings.zeroTrust && badge("plain", "zero trust")}
      ${!settings.identification && badge("plain", "identification off")}
    </p>
    <p>
      <a href="/playground/${region}">Playground of ${region}</a>,
      <a href="${rulePlaygroundPath(region)}">rule playground</a>
    </p>
  </article>`;
}

function environmentsOf({ environments }: Store, region: Region): MarkupPart {
  const { rows } = environments.page(region, {}, { after: 0 }, NAMED);
  const left = environments.count(region) - rows.length;
  return markup`<ul class="named">
    ${rows.map(({ id, name }) => markup`<li>${short(name)} <code>${id}</code></li>`)}
    ${left > 0 && markup`<li>and ${left} more</li>`}
  </ul>`;
}
