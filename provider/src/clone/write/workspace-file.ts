import { REGIONS } from "@devid/sdk";
import { z } from "zod";
import {
  CLONE_KINDS,
  select,
  type Selection,
  type SelectionOptions,
} from "../read/selection";
import type { Workspace } from "../read/workspace";

/** Path in a written program of what was found in the workspace. */
export const WORKSPACE_FILE = "workspace.json";

const records = z.array(z.looseObject({ id: z.string() }));
const environment = z.looseObject({ id: z.string(), name: z.string() });

const Content = z.object({
  version: z.literal(1),
  options: z.object({
    environment: z.string().optional(),
    include: z.array(z.enum(CLONE_KINDS)).optional(),
    name: z.string().optional(),
  }),
  workspace: z.object({
    region: z.enum(REGIONS),
    environments: z.array(environment),
    defaultEnvironment: environment,
    apiKeys: records,
    webhooks: records,
    encryptionKeys: records,
    ruleSets: z.array(z.object({ environment: z.string(), rules: records })),
  }),
});

/** What was chosen of a workspace, as a text that `readWorkspaceFile` reads. No secret is in it. */
export function workspaceFile({ workspace, options, only }: Selection): string {
  // The ID is good for this workspace, whatever else gets the name.
  const asked: SelectionOptions = { ...options, environment: only?.id };
  const content = { version: 1, options: asked, workspace };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** What `workspaceFile` wrote. @throws Error for any other text */
export function readWorkspaceFile(text: string): Selection {
  const { workspace, options } = Content.parse(JSON.parse(text));
  // The members of its records are those that were read from the service.
  return select(workspace as unknown as Workspace, options);
}
