import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import { settingsOf } from "../server-api/settings";
import { badge } from "./elements";
import { type Content, html, type Html } from "./html";
import type { Section } from "./section";

const ALL = [{ after: 0 }, 1_000] as const;

/** A card for each workspace: what it holds, and its settings. */
export const WORKSPACES_SECTION: Section = {
  id: "workspaces",
  title: "Workspaces",
  render: (context, regions) =>
    html`<div class="cards">
      ${regions.map((region) => card(context, region))}
    </div>`,
};

function card({ store }: Context, region: Region): Html {
  const environments = store.environments.list(region, ...ALL).rows;
  const keys = store.apiKeys.list(region, {}, ...ALL).rows;
  const webhooks = store.webhooks.list(region, {}, ...ALL).rows;
  const rules = store.filteringRules.list(region, {});
  const sealing = store.encryptionKeys.list(
    region,
    { status: "enabled" },
    ...ALL,
  );
  const verified = webhooks.filter(({ verified }) => verified === 1).length;
  const settings = settingsOf(store, region);
  const facts: readonly (readonly [string, Content])[] = [
    ["Environments", named(environments)],
    ["API keys", keys.length],
    ["Webhooks", `${webhooks.length}, ${verified} verified`],
    ["Filtering rules", rules.length],
    ["Encryption keys enabled", sealing.rows.length],
  ];
  return html`<article class="card">
    <h3>${region}</h3>
    <dl>
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <p>
      ${settings.sealed && badge("plain", "sealed results")}
      ${settings.zeroTrust && badge("plain", "zero trust")}
      ${!settings.identification && badge("plain", "identification off")}
    </p>
    <p><a href="/playground/${region}">Playground of ${region}</a></p>
  </article>`;
}

function named(
  rows: readonly { readonly id: string; readonly name: string }[],
): Content {
  return html`<ul class="named">
    ${rows.map(({ id, name }) => html`<li>${name} <code>${id}</code></li>`)}
  </ul>`;
}
