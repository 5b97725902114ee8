// The text in every state loads this module by its name and takes a handler by
// its kind from it, so neither of these names may ever change.
import { Handler, HostSession } from "./adapters/dynamic/handler";
import { engineLog } from "./adapters/engine-log";
import type { ResourceDefinition } from "./definition/define-resource";
import { loadKind } from "./kinds";

type Load = () => Promise<ResourceDefinition>;

/** In this time, calls that were sent before the engine was gone are answered. */
const ANSWERED_WITHIN_MS = 10_000;

const session = new HostSession(
  engineLog(),
  {},
  {
    address: process.argv.at(-1),
    // Nothing else would end the host.
    onGone: () => setTimeout(() => process.exit(), ANSWERED_WITHIN_MS),
  },
);

const handlers = Object.fromEntries(
  Object.entries(loadKind).map(([kind, load]) => [
    kind,
    new Handler(load as () => Promise<unknown> as Load, session),
  ]),
);

export = handlers;
