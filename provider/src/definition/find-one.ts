import { DevidError, REDACTED } from "@devid/sdk";

/** An object of the service that may be the one: its ID and its fields. */
export interface Candidate {
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What one object is looked for by. */
export interface Wanted {
  /** What one is called in messages: `API key`. */
  readonly singular: string;
  /** Region of the workspace, for messages. */
  readonly region: string;
  /** `id`, or the name of a field. */
  readonly by: string;
  readonly value: string;
  /** What to do where there is none, and where there are several: whole sentences; candidates may follow. */
  readonly advice: { readonly none: string; readonly several: string };
}

/** None, or more than one, of the objects of a kind is the one that was looked for. */
export class LookupError extends DevidError {
  override readonly name = "LookupError";

  constructor(
    message: string,
    /** IDs of the objects that match: none, or several. */
    readonly matches: readonly string[],
  ) {
    super(message);
  }
}

/** Fields that tell candidates apart, beside the one that was looked for. */
const TOLD = [
  "name",
  "url",
  "type",
  "status",
  "legacy",
  "environment",
  "description",
  "createdAt",
];

const MOST_TOLD = 20;

/**
 * The only object that matches exactly.
 * @throws LookupError naming the candidates with their IDs, addresses without
 * user-info and query
 */
export function findOne<C extends Candidate>(
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
    by === "id" ? ` ${value}` : ` with the ${by} ${shown(by, value)}`;
  throw new LookupError(
    found
      ? `There are ${matches.length} ${singular}s${which} ${where}. ${advice.several}${listOf(matches)}`
      : `There is no ${singular}${which} ${where}. ${advice.none}${all.length > 0 ? ` It has:${listOf(all)}` : ""}`,
    matches.map(({ id }) => id),
  );
}

function listOf(candidates: readonly Candidate[]): string {
  const lines = candidates.slice(0, MOST_TOLD).map(({ id, outputs }) => {
    const told = TOLD.filter((name) => (outputs[name] ?? null) !== null);
    return [id, ...told.map((name) => `${name} ${shown(name, outputs[name])}`)];
  });
  const left = candidates.length - lines.length;
  const more = left > 0 ? [[`and ${left} more`]] : [];
  return [...lines, ...more].map((line) => `\n  ${line.join(", ")}`).join("");
}

function shown(name: string, value: unknown): string {
  return name === "url" && typeof value === "string"
    ? maskedUrl(value)
    : JSON.stringify(value);
}

/** An address without what may be a credential in it: user-info, query and fragment. */
function maskedUrl(address: string): string {
  if (!URL.canParse(address)) return REDACTED;
  const { protocol, username, password, host, pathname, search, hash } =
    new URL(address);
  const userInfo = username || password ? `${REDACTED}@` : "";
  const query = search || hash ? `?${REDACTED}` : "";
  return `${protocol}//${userInfo}${host}${pathname}${query}`;
}
