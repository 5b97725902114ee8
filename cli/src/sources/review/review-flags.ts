import { MAX_UNDETERMINED, MIN_EVENTS } from "@devid/review";
import { InvalidArgumentError } from "commander";
import { UsageError } from "../../errors";
import {
  flag,
  negatedFlag,
  parsedFlag,
  type ValuesOf,
} from "../../flags/define-command";
import {
  percentFlag,
  repeatedFlag,
  wholeNumberFlag,
} from "../../flags/flag-values";
import {
  assumeNotSentFlag,
  baseFlag,
  checkWarehouseFlags,
  maxRulesFlag,
  rangeOf,
  SAMPLE_FLAGS,
  timeFlags,
  WAREHOUSE_FLAGS,
  workspaceFlags,
} from "../../flags/shared-flags";

/** The flags that say what a review compares, which past events it reads, and when it fails. */
export const REVIEW_FLAGS = {
  base: baseFlag("default: the branch that it is to be merged into"),
  resource: parsedFlag(
    "<name|urn> rule set of the preview that the file describes; may be repeated (default: the rule sets with its rules)",
    repeatedFlag,
  ),
  ...timeFlags(),
  ...WAREHOUSE_FLAGS,
  ...SAMPLE_FLAGS,
  minEvents: parsedFlag(
    "<n> with fewer past events, conditions on events cannot be judged (default: 100)",
    wholeNumberFlag(0),
  ),
  maxUndetermined: parsedFlag(
    "<percent> with a larger share of undetermined past events, conditions on events cannot be judged (default: 5%)",
    percentFlag,
  ),
  assumeNotSent: assumeNotSentFlag,
  maxRules: maxRulesFlag,
  impact: negatedFlag("do not replay past events"),
  usage: flag(
    "also count what each rule of the file decided, over all past events of the range",
  ),
  ...workspaceFlags(
    "environment of live rules and events (default: the plan's, then the default environment)",
  ),
  commit: parsedFlag(
    "<sha> commit that the report names (default: HEAD)",
    commitFlag,
  ),
  recover: flag(
    "review a recovery, which puts the rules of the main branch in force again; compares with live",
  ),
  failOn: parsedFlag(
    "<condition> fail when this condition holds or cannot be judged; may be repeated",
    repeatedFlag,
  ),
};

/** The flags of `REVIEW_FLAGS`, as commander parses them. */
export type ReviewFlags = ValuesOf<typeof REVIEW_FLAGS>;

/** What a user asks of a review. */
export interface ReviewRequest extends Omit<ReviewFlags, "since"> {
  readonly path: string;
  readonly plan?: string;
  /** Whether this command has made the preview, by a program that was given the keys. */
  readonly isOwnPlan?: true;
  /** Path of the event log of that preview. */
  readonly planEvents?: string;
  /** Path of what the commands before the preview printed. */
  readonly planLog?: string;
  readonly stack?: string;
  readonly since: Date;
  readonly minEvents: number;
  readonly maxUndetermined: number;
  /** Whether warnings fail it, too. */
  readonly strict?: true;
  readonly showSecrets?: boolean;
  /** Why the service cannot be asked; the review then has only what needs no service. */
  readonly failure?: string;
}

/** The request of a review. @throws UsageError for flags that exclude each other */
export function reviewRequest<Given extends ReviewFlags>(
  path: string,
  flags: Given,
) {
  checkWarehouseFlags(flags);
  const { usage, events, sample, within } = flags;
  const isSampled = sample !== undefined || within !== undefined;
  if (usage && events === undefined && isSampled)
    throw new UsageError(
      "--usage counts all events: leave --sample and --within out, or give a warehouse with --events.",
    );
  const { minEvents = MIN_EVENTS, maxUndetermined = MAX_UNDETERMINED } = flags;
  const { start: since, end: until } = rangeOf(flags);
  return { ...flags, path, since, until, minEvents, maxUndetermined };
}

function commitFlag(text: string): string {
  if (/^[0-9a-f]{40}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "It has to be a whole commit: 40 hexadecimal digits.",
  );
}
