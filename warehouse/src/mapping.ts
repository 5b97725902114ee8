import { EVENT_COLUMN_NAMES } from "./sql";
import { parseYaml, readProjectFile } from "@devid/rules";
import { fileProblem } from "@devid/sdk/errors";
import { z } from "zod";
import { EventSourceError } from "./errors";

const ColumnName = z.string().min(1).max(500);

const Place = z.union([
  ColumnName.describe("A column, or the member of a column: sdk.platform."),
  z
    .strictObject({
      json: ColumnName.describe("A column that holds JSON as text."),
      path: z.string().min(1).describe("The member of it: sdk.platform."),
    })
    .describe("A member of a column that holds JSON."),
]);

/**
 * The columns of a table for the members of an event that rules read. Every member is
 * optional.
 */
const Mapping = z.strictObject({
  columns: z
    .partialRecord(z.enum(EVENT_COLUMN_NAMES), Place)
    .default({})
    .describe("Where each column of docs/warehouse.md is."),
  event: ColumnName.optional().describe(
    "The column that holds the whole event as JSON (default: event).",
  ),
});

/** Where a part of an event is in a table. */
export type MappedPlace = z.output<typeof Place>;

/**
 * The columns of a table for the members of an event that rules read; default:
 * docs/warehouse.md.
 */
export type EventMapping = z.output<typeof Mapping>;

/** The mapping of a table that has the columns of docs/warehouse.md, or the members of version 4. */
export const DEFAULT_MAPPING: EventMapping = { columns: {} };

/**
 * Reads a mapping from a YAML file.
 * @throws EventSourceError for a file that cannot be read, or is no mapping
 */
export function readMapping(path: string): EventMapping {
  const fail = (why: string, cause?: unknown) =>
    new EventSourceError(`The mapping ${path} cannot be used: ${why}`, {
      cause,
    });
  let text: string;
  try {
    text = readProjectFile(path).toString("utf8");
  } catch (error) {
    throw fail(`${fileProblem(error, "read")}.`, error);
  }
  let content: unknown;
  try {
    const document = parseYaml(text);
    const [mistake] = document.errors;
    if (mistake) {
      const line = text.slice(0, mistake.pos[0]).split("\n").length;
      throw new Error(`${mistake.message}, at line ${line}.`);
    }
    content = document.toJS();
  } catch (error) {
    throw fail((error as Error).message, error);
  }
  const read = Mapping.safeParse(content ?? {});
  if (read.success) return read.data;
  throw fail(read.error.issues.map(mistakeOf).join("; "));
}

function mistakeOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  const known =
    path.length === 0 ? ["columns", "event"] : [...EVENT_COLUMN_NAMES];
  const more =
    issue.code === "unrecognized_keys"
      ? `. Known are ${known.join(", ")}.`
      : "";
  return [...path, message].join(": ") + more;
}
