import { DevidError, REGIONS } from "@devid/sdk";
import { issueMessage } from "@devid/sdk/wire";
import { z } from "zod";
import {
  select,
  type Selection,
  type SelectionOptions,
} from "../read/selection";
import {
  hashOnDisk,
  isStackConfig,
  readManifest,
  textOnDisk,
  versionedJson,
} from "./export-manifest";
import { ExportedPart } from "./exported-part";

/** The file of a written program that has the workspace's objects. */
export const WORKSPACE_FILE = "workspace.json";

const VERSION = 3;

const environment = z.object({ id: z.string(), name: z.string() });
const objects = z.array(
  z.object({ id: z.string(), outputs: z.record(z.string(), z.unknown()) }),
);

const Content = z.object({
  version: z.literal(VERSION),
  options: ExportedPart.pick({
    include: true,
    exclude: true,
  }).extend({ environment: z.string().optional() }),
  workspace: z.object({
    region: z.enum(REGIONS),
    environments: z.array(environment),
    defaultEnvironment: environment,
    objects: z.record(z.string(), objects),
    unread: z.array(
      z.object({ kind: z.string(), what: z.string(), reason: z.string() }),
    ),
  }),
});

/** The objects of an export, read from its folder. */
export interface ReadExport {
  readonly selection: Selection;
  /**
   * Files that were changed after the export: what they declare now is unknown. Stack
   * config is not among them, because Pulumi itself writes to it.
   */
  readonly changed: readonly string[];
}

/** A folder does not hold a readable export. */
export class NoExportError extends DevidError {
  override readonly name = "NoExportError";
}

/** The chosen objects of a workspace as the text that `readExport` reads, without secrets. */
export function workspaceFile({ workspace, options, only }: Selection): string {
  // An ID stays valid when another environment gets the same name.
  const asked: SelectionOptions = { ...options, environment: only?.id };
  const content = { version: VERSION, options: asked, workspace };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** Reads the objects of an export from its folder. @throws NoExportError, NewerExportError */
export function readExport(folder: string): ReadExport {
  const text = textOnDisk(folder, WORKSPACE_FILE);
  if (text === undefined)
    throw new NoExportError(
      `${folder} has no ${WORKSPACE_FILE}; it is not a folder that devid export wrote.`,
    );
  const written = Object.entries(readManifest(folder).files);
  const changed = written
    .filter(
      ([path, hash]) =>
        !isStackConfig(path) && hashOnDisk(folder, path) !== hash,
    )
    .map(([path]) => path);
  return { selection: readSelection(folder, text), changed };
}

function readSelection(folder: string, text: string): Selection {
  const path = `${folder}/${WORKSPACE_FILE}`;
  const unreadable = (reason: string) =>
    new NoExportError(`${path} cannot be read: ${reason}. Export again.`);
  const { content, version } = versionedJson(path, text, VERSION);
  if (content === undefined) throw unreadable("it is no JSON");
  if (version > 0 && version < VERSION)
    throw unreadable("an older devid wrote it, in another form");
  const parsed = Content.safeParse(content, { error: issueMessage });
  if (!parsed.success)
    throw unreadable(
      parsed.error.issues
        .map(({ path: at, message }) => `${z.core.toDotPath(at)}: ${message}`)
        .join(", "),
    );
  const { workspace, options } = parsed.data;
  return select(workspace, options);
}
