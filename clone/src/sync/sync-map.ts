import { REGIONS } from "@devid/sdk";
import { z } from "zod";
import { nameOfUrn } from "@devid/pulumi/definitions";
import { kindOfType } from "@devid/pulumi/state";
import type { KeptNames } from "../declare/references";
import { jsonOf, textOnDisk } from "../write/export-manifest";
import type { StackDeployment } from "../recover/recovered-state";

/** The name of the file with the `SyncMap`. */
export const SYNC_MAP = "sync.json";

const VERSION = 1;

const Side = z.object({
  region: z.enum(REGIONS),
  /** ID of the default environment. */
  workspace: z.string(),
});

const SyncMap = z.object({
  version: z.literal(VERSION),
  from: Side,
  to: Side,
  /** The ID of each copy, by kind and by the ID of the object in the source. */
  ids: z.record(z.string(), z.record(z.string(), z.string())),
});

/** For each object of the source, its copy in the target. */
export type SyncMap = z.infer<typeof SyncMap>;

/** The map that the last sync into a folder wrote, or undefined. */
export function readSyncMap(folder: string): SyncMap | undefined {
  const text = textOnDisk(folder, SYNC_MAP);
  return text === undefined ? undefined : SyncMap.safeParse(jsonOf(text)).data;
}

/** The text of the file: the IDs in a state, by the resource names that the objects of the source got. */
export function syncMapText(
  sides: Pick<SyncMap, "from" | "to">,
  names: KeptNames,
  state: StackDeployment,
): string {
  const made = new Map(
    (state.deployment.resources ?? []).map(({ urn, type, id }) => [
      `${kindOfType(String(type))} ${nameOfUrn(String(urn))}`,
      id,
    ]),
  );
  const ids = Object.fromEntries(
    Object.entries(names).map(([kind, ofKind]) => [
      kind,
      Object.fromEntries(
        Object.entries(ofKind).flatMap(([from, name]) => {
          const to = made.get(`${kind} ${name}`);
          return typeof to === "string" && to !== "" ? [[from, to]] : [];
        }),
      ),
    ]),
  );
  return `${JSON.stringify({ version: VERSION, ...sides, ids }, undefined, 2)}\n`;
}
