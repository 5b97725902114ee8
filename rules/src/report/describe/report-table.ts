import { isAbsent, type Review } from "../../review/review";
import { shortened } from "../../review/shortened";
import type { Quote } from "./change-cells";

/** Characters of a message in a cell. */
const LONGEST_MESSAGE = 400;

/** A table that every format shows; its cells are markup of the format. */
export interface ReportTable {
  readonly title: string;
  /** Sentences above the table. */
  readonly intro: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What a row is: `policies`. */
  readonly noun: string;
}

/** The table of what policies say of the deployment; undefined without policies. */
export function policyTable(
  { policies }: Review,
  quote: Quote,
): ReportTable | undefined {
  if (policies === undefined) return undefined;
  const table = {
    title: "Policies",
    columns: ["Policy", "Level", "Resource", "What it says"],
    noun: "policies",
  };
  if (isAbsent(policies))
    return {
      ...table,
      intro: `Not known: ${quote(policies.absent)}`,
      rows: [],
    };
  const { packs, violations } = policies;
  const of =
    packs.length === 0
      ? "No policy pack was run."
      : `Checked by ${packs.map((pack) => quote(pack)).join(", ")}.`;
  const found =
    packs.length > 0 && violations.length === 0
      ? " No policy is violated."
      : "";
  return {
    ...table,
    intro: of + found,
    rows: violations.map(({ policy, isAdvisory, resource, message }) => [
      quote(policy),
      isAdvisory ? "advisory" : "mandatory",
      resource === undefined ? "the stack" : quote(resource),
      quote(
        shortened(message.trim().replace(/\s*\n\s*/g, " "), LONGEST_MESSAGE),
      ),
    ]),
  };
}

/** The tables of a review, in their order. */
export function reportTables(review: Review, quote: Quote): ReportTable[] {
  const table = policyTable(review, quote);
  return table ? [table] : [];
}
