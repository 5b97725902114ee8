import { REGIONS } from "@devid/sdk";
import { z } from "zod";
import { nameOfUrn } from "@devid/pulumi/definitions";
import { kindOfType } from "@devid/pulumi/state";
import type { KeptNames } from "../declare/references";
import { jsonOf, textOnDisk } from "../write/export-manifest";
import type { StackDeployment } from "../recover/recovered-state";

/** The file that says which object of the target is the copy of which object of the source. */
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
  /** By kind and by the ID of an object in the source, the ID of its copy. */
  ids: z.record(z.string(), z.record(z.string(), z.string())),
});

/** Which object of the target is the copy of which object of the source. */
export type SyncMap = z.infer<typeof SyncMap>;

/** The map that the last sync into a folder wrote; undefined where there is none. */
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
