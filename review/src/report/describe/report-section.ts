import { count, shortened, type Quote } from "@devid/rules/internals";
import {
  isAbsent,
  RISKS,
  type PlannedResource,
  type Review,
} from "../../review/review";
import { listNames } from "../../review/list-names";

/** Characters of a message in a cell. */
const LONGEST_MESSAGE = 400;

/** A section of a review. All texts but the title and the blocks are markup of the format. */
export interface ReportSection {
  /** Absent: the section continues the section above. */
  readonly title?: string;
  /** Sentences above the items. */
  readonly intro?: string;
  /** What an item is, in the plural: `policies`. */
  readonly noun?: string;
  readonly table?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  readonly list?: readonly string[];
  /** Plain texts that keep their lines. */
  readonly blocks?: readonly string[];
  /** Whether only the title shows until a reader opens the section. */
  readonly isFolded?: boolean;
}

/** The table of what policies say of the deployment; undefined if none was asked. */
function policyTable(
  { policies }: Review,
  quote: Quote,
): ReportSection | undefined {
  if (policies === undefined) return undefined;
  const title = "Policies";
  if (isAbsent(policies))
    return { title, intro: `Not known: ${quote(policies.absent)}` };
  const { packs, violations } = policies;
  if (packs.length === 0 && violations.length === 0) return undefined;
  const of = `Checked by ${listNames(packs, quote)}.`;
  const found = violations.length === 0 ? " No policy is violated." : "";
  const rows = violations.map(({ policy, isAdvisory, resource, message }) => [
    quote(policy),
    isAdvisory ? "advisory" : "mandatory",
    resource === undefined ? "the stack" : quote(resource),
    quote(shortened(message.trim().replace(/\s*\n\s*/g, " "), LONGEST_MESSAGE)),
  ]);
  const columns = ["Policy", "Level", "Resource", "What it says"];
  return {
    title,
    intro: of + found,
    ...(rows.length > 0 && { table: { columns, rows } }),
    noun: "policies",
  };
}

const MOST_PROPERTIES = 8;

/** Characters of a value. */
const LONGEST_VALUE = 120;

/**
 * The table of the resources, other than rule sets, that the deployment touches;
 * undefined if there are none. The gravest come first.
 */
function resourceTable(
  { plan }: Review,
  quote: Quote,
): ReportSection | undefined {
  if (plan === undefined || isAbsent(plan) || plan.others.length === 0)
    return undefined;
  const gravity = ({ effects = [] }: PlannedResource) =>
    Math.max(0, ...effects.map(({ risk }) => RISKS.indexOf(risk)));
  const rows = [...plan.others]
    .sort((a, b) => gravity(b) - gravity(a))
    .map((resource) => [
      OPERATIONS[resource.operation],
      quote(shortened(`${resource.type} ${resource.name}`, LONGEST_VALUE)),
      propertiesOf(resource, quote),
      (resource.effects ?? [])
        .map(({ text }) => quotedEffect(text, quote))
        .join("; "),
    ]);
  return {
    title: "Other resources",
    intro: `The deployment also touches ${count(rows.length, "resource")} other than rule sets.`,
    table: {
      columns: ["Operation", "Resource", "Properties", "What it means"],
      rows,
    },
    noun: "resources",
  };
}

/** Texts of effects are ours; a part between backquotes comes from the program. */
function quotedEffect(text: string, quote: Quote): string {
  return text
    .split("`")
    .map((part, i) => (i % 2 === 1 ? quote(part) : part))
    .join("");
}

const OPERATIONS = {
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  same: "options only",
} as const;

function propertiesOf(
  { operation, properties = [] }: PlannedResource,
  quote: Quote,
): string {
  const value = (text: string | undefined) =>
    text === undefined ? "not set" : quote(shortened(text, LONGEST_VALUE));
  const texts = properties
    .slice(0, MOST_PROPERTIES)
    .map(({ name, before, after }) => {
      const called = quote(shortened(name, LONGEST_VALUE));
      if (operation === "create") return `${called}: ${value(after)}`;
      if (operation === "delete") return `${called}: ${value(before)}`;
      return `${called} from ${value(before)} to ${value(after)}`;
    });
  const rest = properties.length - texts.length;
  return [...texts, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}

/** The tables of a review, in their order. */
export function reportTables(review: Review, quote: Quote): ReportSection[] {
  return [resourceTable(review, quote), policyTable(review, quote)].filter(
    (table) => table !== undefined,
  );
}
