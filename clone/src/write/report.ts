import { maskUrls } from "@devid/sdk";
import { codeSpan } from "@devid/rules";
import type {
  DeclaredResource,
  DeclaredWorkspace,
} from "../declare/declare-workspace";
import { NewValue } from "../declare/declared-value";
import { kindNamed, KINDS, type CloneKind } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import { environmentOf, objectsOf, titleOf } from "../read/workspace";

/**
 * Settings that only the dashboard has (docs/contract.md, "What the management API does
 * not cover").
 */
const DASHBOARD_ONLY = [
  "management API keys: each workspace has its own, made in the dashboard",
  "the workspace itself, its members, billing and plan, which decides limits",
  "the choice of signals, and zero-trust mode",
  "rulesets for the events API, which `ruleset_id` names",
  "custom subdomains and their certificates, and proxy integrations",
];

const UNREAD_ADVICE =
  "The service did not list these, so it is not known which there are. The program has none of them, and a copy will have none; in the workspace they stay as they are. If the management key lacks a permission, export again with one that has it, into another folder.";

const unreadRulesAdvice = (kind: string) =>
  `Otherwise copy the rules from the dashboard into a rule file and declare a \`${kind}\` by hand. It needs \`takeOver: true\`, because its creation replaces all rules of its environment, which it cannot read before. From then on the state has what was written; changes that others make are not noticed.\n`;

/**
 * REPORT.md of an export: what a copy of the workspace lacks, and what to do about
 * it. It holds no secret. Every text from the workspace is in a code span.
 */
export function report(
  declared: DeclaredWorkspace,
  selection: Selection,
): string {
  const { resources, leftOut } = declared;
  const { workspace, only } = selection;
  const scope = only ? ` (environment ${codeSpan(only.name)})` : "";
  const advice = new Set(leftOut.flatMap(({ advice }) => advice ?? []));
  const sections = [
    section(
      "Could not be read",
      UNREAD_ADVICE,
      workspace.unread.map(
        ({ what, reason }) => `${what}: ${codeSpan(reason)}`,
      ),
    ),
    ...workspace.unread
      .filter(({ kind }) => kindNamed(kind)?.definition.clone?.ruleFile)
      .map(({ kind }) => unreadRulesAdvice(kind)),
    section(
      "Not in the program",
      "These are left out, and stay as they are in the workspace.",
      leftOut.map(
        ({ what, id, name, reason }) =>
          `${what} ${codeSpan(name)} (${id}): ${codeSpan(reason)}`,
      ),
    ),
    ...[...advice].map((text) => `${text}\n`),
    section(
      "Values that this devid does not know",
      "The program has them as the service does. A new stack is refused with them, here and in another workspace: update devid first, or leave these objects out with --exclude.",
      resources.flatMap(newValues),
    ),
    ...newSecrets(declared, selection),
    ...KINDS.flatMap((kind) => notCopied(kind, resources)),
    section(
      "Rules of equal names",
      "The name is a rule's identity, so these have their ID behind it in the program. In this workspace they get the new name with the next change of the rules.",
      KINDS.flatMap((kind) => renamedRules(kind, selection)),
    ),
    section(
      "Addresses that may hold a secret",
      ADDRESS_ADVICE,
      KINDS.flatMap((kind) => partlySecretAddresses(kind, selection)),
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

/** Arguments with a value that this version does not know. */
const newValues = (resource: DeclaredResource) =>
  Object.entries(resource.args).flatMap(([name, value]) =>
    value instanceof NewValue
      ? [`${shown(resource)}: \`${name}\` ${codeSpan(value.value)}`]
      : [],
  );

/** The tokens and keys of a copy, by environment, with the users who need them. */
function newSecrets(
  { outputs }: DeclaredWorkspace,
  { workspace }: Selection,
): string[] {
  if (outputs.length === 0) return [];
  const places = [
    ...workspace.environments.map(({ id, name }) => ({
      id,
      heading: `Environment ${codeSpan(name)}`,
    })),
    { id: undefined, heading: "The whole workspace" },
  ];
  const lists = places.map(({ id, heading }) => {
    const items = outputs
      .filter(({ resource }) => resource.environment === id)
      .map(({ name, field, resource }) => {
        const { singular, clone } = kindNamed(resource.kind)?.definition ?? {};
        const who = clone?.neededBy?.(resource.state) ?? "whoever uses it";
        return `- \`${field}\` of ${singular} ${codeSpan(maskUrls(resource.title))}, for ${who}:\n  \`pulumi stack output ${name} --show-secrets\`\n`;
      });
    return items.length === 0 ? "" : `### ${heading}\n\n${items.join("")}`;
  });
  return [
    "## New tokens and keys in a copy\n",
    "A copy has tokens and keys of its own. Whoever uses those of this workspace needs the new ones. After `pulumi up` of the copy, these commands print them in clear text: do not run them where the output is logged.\n",
    "A stack that takes this workspace over changes no token or key. It has outputs for those that the service still shows, and none for tokens of secret and proxy keys and for signing keys, which the service showed only when it made them.\n",
    ...lists.filter((text) => text !== ""),
  ];
}

const ADDRESS_ADVICE =
  "The program needs the whole of an address, and so does `workspace.json`: what is masked here stands in these files. Where it is a secret, keep it out of the repository: let the program take the address from stack config (`config.requireSecret`), and do not commit that file.";

/** Sections about what a copy of a kind's objects lacks. */
function notCopied(
  { kind, definition }: CloneKind,
  resources: readonly DeclaredResource[],
): string[] {
  const own = resources.filter((resource) => resource.kind === kind);
  return (definition.clone?.notCopied ?? []).map((part) => {
    const items = own
      .filter(({ state }) => part.concerns?.(state) ?? true)
      .map(shown);
    return section(part.heading, part.text, items);
  });
}

function renamedRules(kind: CloneKind, { workspace }: Selection): string[] {
  return objectsOf(workspace, kind).flatMap((object) => {
    const place = environmentOf(workspace, kind, object);
    const renamed = kind.definition.clone?.ruleFile?.renamed(object.outputs);
    return (renamed ?? []).map(
      ({ name, id }) => `${codeSpan(name)} (${id}) in environment ${place}`,
    );
  });
}

/** Objects with an address that has masked parts. */
function partlySecretAddresses(
  kind: CloneKind,
  { workspace }: Selection,
): string[] {
  return objectsOf(workspace, kind).flatMap((object) => {
    const masked = Object.entries(object.outputs).flatMap(([name, value]) =>
      typeof value === "string" && maskUrls(value) !== value
        ? [`${name} ${codeSpan(maskUrls(value))}`]
        : [],
    );
    const title = maskUrls(titleOf(workspace, kind, object));
    return masked.length === 0
      ? []
      : [
          `${kind.definition.singular} ${codeSpan(title)} (${object.id}): ${masked.join(", ")}`,
        ];
  });
}

const shown = ({ title, name }: DeclaredResource) =>
  `${codeSpan(maskUrls(title))}, resource ${codeSpan(name)}`;

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
