import { codeSpan } from "@devid/sdk/rules/diff-report";
import type { DeclaredResource } from "../declare/declared-resource";
import type { DeclaredWorkspace } from "../declare/declare-workspace";
import type { Selection } from "../read/selection";

/** What stays in the dashboard, whatever is exported (docs/contract.md, "What the management API does not cover"). */
const DASHBOARD_ONLY = [
  "management API keys: each workspace has its own, made in the dashboard",
  "the workspace itself, its members, billing and plan, which decides limits",
  "the choice of signals, and zero-trust mode",
  "rulesets for the events API, which `ruleset_id` names",
  "custom subdomains and their certificates, and proxy integrations",
];

/**
 * REPORT.md of an export: what a copy of the workspace will not have, with what
 * to do about each. It holds no secret, and all that comes from the workspace
 * stands in code spans.
 */
export function report(
  { resources, leftOut }: DeclaredWorkspace,
  { workspace, only }: Selection,
): string {
  const ofKind = (kind: DeclaredResource["kind"]) =>
    resources.filter((resource) => resource.kind === kind);
  const keys = ofKind("ApiKey");
  const hidden = keys.filter(({ inputs }) => inputs.type !== "public");
  const shown = keys.filter(({ inputs }) => inputs.type === "public");
  const webhooks = ofKind("Webhook");
  const renamed = workspace.ruleSets.flatMap(({ environment, rules }) =>
    rules.flatMap(({ id, name }, index) =>
      rules.findIndex((rule) => rule.name === name) < index
        ? [`${codeSpan(name)} (${id}) in environment ${environment}`]
        : [],
    ),
  );
  const scope = only ? ` (environment ${codeSpan(only.name)})` : "";
  const sections = [
    section(
      "Not in the program",
      "These are left out, and stay as they are in the workspace.",
      leftOut.map(
        ({ what, id, name, reason }) =>
          `${what} ${codeSpan(name)} (${id}): ${reason}`,
      ),
    ),
    leftOut.some(({ what }) => what === "legacy webhook") ? MIGRATE : "",
    section(
      "Tokens of secret and proxy keys",
      "The service shows such a token once, when the key is made. After an import the output `token` is empty. A copy has keys of its own: give their tokens to the servers that use them.",
      hidden.map(titleOf),
    ),
    section(
      "Tokens of public keys",
      "A copy has keys of its own: put their tokens into the pages and apps of that region. After an import, `pulumi refresh` reads the tokens.",
      shown.map(titleOf),
    ),
    section(
      "Signing keys and verification of webhooks",
      "The service shows a signing key once; after an import the output `signingKey` is empty. A copy has signing keys of its own, and its webhooks get no events until they are verified: set `verify: true`, in the program or in the settings of a stack.",
      webhooks.map(
        (webhook) =>
          `${titleOf(webhook)}${webhook.outputs.verified === true ? "" : ", not verified here either"}`,
      ),
    ),
    section(
      "Encryption keys",
      "Each environment has its own from the start. A copy takes over name, description and status, not the key: whoever opens sealed results needs the one of that region.",
      ofKind("EncryptionKey").map(titleOf),
    ),
    section(
      "Rules of equal names",
      "The name is a rule's identity in a rule file, so these have their ID behind it there. In this workspace they get the new name with the next change of the rules.",
      renamed,
    ),
    section(
      "Only in the dashboard",
      "The API neither shows nor sets these.",
      DASHBOARD_ONLY,
    ),
  ];
  return [
    `# What was exported from region ${workspace.region}${scope}, and what cannot be copied\n`,
    counts(resources),
    ...sections.filter((text) => text !== ""),
  ].join("\n");
}

const MIGRATE =
  "A legacy webhook migrates in the program: declare a `Webhook` with the new\n" +
  "address, `verify: true` and `replacesLegacy`, the ID of the legacy one. Both\n" +
  "run until the new one is verified; then the legacy one is deleted.\n";

const titleOf = ({ title, name }: DeclaredResource) =>
  `${codeSpan(title)}, resource ${codeSpan(name)}`;

function section(
  heading: string,
  text: string,
  items: readonly string[],
): string {
  if (items.length === 0) return "";
  const list = items.map((item) => `- ${item}\n`).join("");
  return `## ${heading}\n\n${text}\n\n${list}`;
}

function counts(resources: readonly DeclaredResource[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of resources) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.size === 0) return "Nothing was exported.\n";
  const parts = [...kinds].map(([kind, count]) => `${count} \`${kind}\``);
  return `Exported: ${parts.join(", ")}.\n`;
}
