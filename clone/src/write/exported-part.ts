import { DevidError, REGIONS } from "@devid/sdk";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { CLONE_KINDS, KINDS } from "../read/clone-kinds";
import type { Selection } from "../read/selection";

/** Which part of which workspace an export has: plain data for JSON. */
export const ExportedPart = z.object({
  region: z.enum(REGIONS),
  /** ID of the default environment, which identifies the workspace. */
  workspace: z.string(),
  /** The only environment of the export. */
  environment: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The choices of its objects: kinds in the order of a program, or, with patterns and IDs, in alphabetical order. */
  include: z.array(z.string()).optional(),
  /** The choices of objects that it does not have, in alphabetical order. */
  exclude: z.array(z.string()).optional(),
});

/** Which part of which workspace an export has. */
export type ExportedPart = z.infer<typeof ExportedPart>;

/**
 * The part of a workspace that was chosen and could be read. A list of all kinds counts
 * as no list. If kinds could not be read, the part differs from the whole, so that the
 * export does not remove their resources from an earlier program.
 */
export function partOf({ workspace, options, only }: Selection): ExportedPart {
  const isUnread = (name: string) =>
    workspace.unread.some(({ kind }) => kind === name);
  const read = KINDS.filter(({ kind }) => !isUnread(kind)).map(
    ({ spelling }) => spelling,
  );
  const { include, exclude = [] } = options;
  const areKinds = include?.every((one) => CLONE_KINDS.includes(one)) ?? true;
  const included = areKinds
    ? read.filter((spelling) => include?.includes(spelling) ?? true)
    : [...new Set(include)].toSorted();
  const isAll = areKinds && included.length === KINDS.length;
  const excluded = [
    ...exclude,
    ...(areKinds
      ? []
      : CLONE_KINDS.filter((spelling) => !read.includes(spelling))),
  ];
  return {
    region: workspace.region,
    workspace: workspace.defaultEnvironment.id,
    ...(only && { environment: { id: only.id, name: only.name } }),
    ...(!isAll && { include: included }),
    ...(excluded.length > 0 && { exclude: [...new Set(excluded)].toSorted() }),
  };
}

/** Whether two exports have the same part. The environment may have been renamed. */
export function isSamePart(a: ExportedPart, b: ExportedPart): boolean {
  const withoutName = ({ environment, ...rest }: ExportedPart) => ({
    ...rest,
    environment: environment?.id,
  });
  return isDeepStrictEqual(withoutName(a), withoutName(b));
}

/**
 * The name of the Pulumi project for a part: no two parts share one, so that the
 * stacks of a part are separate from those of the workspace. `environmentName` is the
 * name of the environment as a resource has it, which other environments may have, too.
 */
export function projectName(
  { environment, include, exclude }: ExportedPart,
  environmentName: string,
): string {
  const parts = [
    environment ? `devid-environment ${environmentName}` : "devid-workspace",
    ...(include ? ["only", ...include.map(inWords)] : []),
    ...(exclude ? ["without", ...exclude.map(inWords)] : []),
  ];
  // The name of a Pulumi project allows no other characters, and no more.
  const words =
    parts
      .join(" ")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const short = words.join("-").slice(0, LONGEST_PROJECT_NAME);
  const chosen = [...(include ?? []), ...(exclude ?? [])];
  const areWordsUnique =
    environment === undefined && chosen.every((kind) => /^[a-z-]+$/.test(kind));
  if (areWordsUnique) return short.replace(/-$/, "");
  // Different patterns, and different environments, can have the same words.
  const digest = createHash("sha256")
    .update(JSON.stringify([environment?.id, include, exclude]))
    .digest("hex")
    .slice(0, 8);
  const most = LONGEST_PROJECT_NAME - digest.length - 1;
  return `${short.slice(0, most).replace(/-$/, "")}-${digest}`;
}

const inWords = (pattern: string) =>
  pattern.replaceAll("*", " any ").replaceAll("?", " one ");

const LONGEST_PROJECT_NAME = 100;

/** A folder has an export of another part of a workspace, or of another workspace; nothing was written. */
export class OtherPartError extends DevidError {
  override readonly name = "OtherPartError";

  /** @param removed and `overwritten`: files in the folder that the new export would take */
  constructor(
    folder: string,
    found: ExportedPart,
    asked: ExportedPart,
    removed: readonly string[],
    overwritten: readonly string[],
  ) {
    const list = (heading: string, paths: readonly string[]) =>
      paths.length === 0 ? [] : [heading, ...paths.map((path) => `  ${path}`)];
    super(
      [
        `${folder} has another export, so nothing was written.`,
        "It has:",
        ...described(found),
        "This one would have:",
        ...described(asked),
        ...list("These files would be removed:", removed),
        ...list("These would be written over:", overwritten),
        "Export to another folder, or do all this with --force.",
      ].join("\n"),
    );
  }
}

/** Describes a part in several lines. */
function described(part: ExportedPart): string[] {
  const { region, workspace, environment, include, exclude } = part;
  const without = exclude ? ` without ${exclude.join(", ")}` : "";
  const what = (include?.join(", ") ?? "everything") + without;
  const place = environment
    ? ` in environment ${environment.name} (${environment.id})`
    : "";
  return [
    `  ${what}${place}`,
    `  of the workspace in region ${region} whose default environment is ${workspace}`,
  ];
}
