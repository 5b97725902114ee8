import { parseUrl } from "@devid/sdk/errors";
import { REDACTED } from "@devid/sdk";
import type { FoundObject } from "./define-resource";
import { LookupError } from "./errors";

/** Which object is wanted. */
interface Wanted {
  /** What messages call such an object: `API key`. */
  readonly singular: string;
  /** Region of the workspace, for messages. */
  readonly region: string;
  /** `id`, or the name of a field. */
  readonly by: string;
  readonly value: string;
  /**
   * What to do if there is no such object, or if there are several. The candidates are
   * listed after these sentences.
   */
  readonly advice: { readonly none: string; readonly several: string };
}

const SHOWN_FIELDS = [
  "name",
  "url",
  "type",
  "status",
  "legacy",
  "environment",
  "description",
  "createdAt",
];

const MOST_SHOWN = 20;

/**
 * The one object that has exactly the wanted value.
 * @throws LookupError which lists the candidates with their IDs, and only the hosts of
 * their addresses
 */
export function findOne<C extends FoundObject>(
  all: readonly C[],
  { singular, region, by, value, advice }: Wanted,
): C {
  const matches = all.filter(
    ({ id, outputs }) => (by === "id" ? id : outputs[by]) === value,
  );
  const [found, ...others] = matches;
  if (found && others.length === 0) return found;
  const where = `in the workspace in region ${region}`;
  const which =
    by === "id" ? ` ${shownId(value)}` : ` with the ${by} ${shown(by, value)}`;
  throw new LookupError(
    found
      ? `There are ${matches.length} ${singular}s${which} ${where}. ${advice.several}${describeCandidates(matches)}`
      : `There is no ${singular}${which} ${where}. ${advice.none}${all.length > 0 ? ` It has:${describeCandidates(all)}` : ""}`,
    matches.map(({ id }) => id),
  );
}

/** An ID for a message: with quotation marks if it is empty, or has a character that is hard to see. */
export const shownId = (id: string): string =>
  /^[!-~]+$/.test(id) ? id : JSON.stringify(id);

/** The first twenty objects for the end of a message, a line for each, without secrets. */
export function describeCandidates(candidates: readonly FoundObject[]): string {
  const lines = candidates.slice(0, MOST_SHOWN).map(describeCandidate);
  const left = candidates.length - lines.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return [...lines, ...more].map((line) => `\n  ${line}`).join("");
}

/** An object in a line of a message: its ID and its identifying fields, without secrets. */
function describeCandidate({ id, outputs }: FoundObject): string {
  const fields = SHOWN_FIELDS.filter(
    (name) => (outputs[name] ?? null) !== null,
  );
  return [
    id,
    ...fields.map((name) => `${name} ${shown(name, outputs[name])}`),
  ].join(", ");
}

/**
 * A value of an object for a message. Of an address, only the host is shown, because
 * the path is often a credential.
 */
function shown(name: string, value: unknown): string {
  if (name !== "url" || typeof value !== "string") return JSON.stringify(value);
  const url = parseUrl(value);
  if (!url) return REDACTED;
  const host = `${url.origin}/`;
  return url.href === host ? host : host + REDACTED;
}
