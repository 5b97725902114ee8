import { MAX_UNDETERMINED, MIN_EVENTS } from "@devid/review";
import { InvalidArgumentError, Option } from "commander";
import { UsageError } from "../errors";
import type { ReviewRequest } from "../sources/review/review-subject";
import { checkWarehouseFlags } from "../sources/warehouse-events";
import { percentFlag, repeatedFlag, wholeNumberFlag } from "./flag-values";
import {
  assumeNotSentOption,
  sampleOptions,
  timeOptions,
  warehouseOptions,
} from "./past-events-options";
import { baseOption, maxRulesOption, workspaceOptions } from "./shared-options";

/** The flags of `reviewOptions`, as commander parses them. */
export interface ReviewFlags extends Omit<
  ReviewRequest,
  "path" | "minEvents" | "maxUndetermined" | "failure"
> {
  readonly region?: string;
  readonly minEvents?: number;
  readonly maxUndetermined?: number;
  readonly failOn?: readonly string[];
}

/** The flags that say what a review compares, which past events it reads, and when it fails. */
export const reviewOptions = (): Option[] => [
  baseOption("default: the branch that it is to be merged into"),
  new Option(
    "--resource <name|urn>",
    "rule set of the preview that the file describes; may be repeated (default: the rule sets with its rules)",
  ).argParser(repeatedFlag),
  ...timeOptions(),
  ...warehouseOptions(),
  ...sampleOptions(),
  new Option(
    "--min-events <n>",
    "with fewer past events, conditions on events cannot be judged (default: 100)",
  ).argParser(wholeNumberFlag),
  new Option(
    "--max-undetermined <percent>",
    "with a larger share of undetermined past events, conditions on events cannot be judged (default: 5%)",
  ).argParser(percentFlag),
  assumeNotSentOption(),
  maxRulesOption(),
  new Option("--no-impact", "do not replay past events"),
  new Option(
    "--usage",
    "also count what each rule of the file decided, over all past events of the range",
  ),
  ...workspaceOptions(
    "environment of live rules and events (default: the plan's, then the default environment)",
  ),
  new Option(
    "--commit <sha>",
    "commit that the report names (default: HEAD)",
  ).argParser(commitFlag),
  new Option(
    "--recover",
    "review a recovery, which puts the rules of the main branch in force again; compares with live",
  ),
  new Option(
    "--fail-on <condition>",
    "fail when this condition holds or cannot be judged; may be repeated",
  ).argParser(repeatedFlag),
];

/** The request of a review. @throws UsageError for flags that exclude each other */
export function reviewRequest<Flags extends ReviewFlags>(
  path: string,
  flags: Flags,
) {
  checkWarehouseFlags(flags);
  checkUsageFlags(flags);
  const { minEvents = MIN_EVENTS, maxUndetermined = MAX_UNDETERMINED } = flags;
  return { ...flags, path, minEvents, maxUndetermined };
}

function checkUsageFlags({ usage, events, sample, within }: ReviewFlags): void {
  if (!usage || events !== undefined) return;
  if (sample === undefined && within === undefined) return;
  throw new UsageError(
    "--usage counts all events: leave --sample and --within out, or give a warehouse with --events.",
  );
}

function commitFlag(text: string): string {
  if (/^[0-9a-f]{40}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "It has to be a whole commit: 40 hexadecimal digits.",
  );
}
