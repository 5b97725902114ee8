// The text in every state loads this module by its name and takes a handler by
// its kind from it: neither may ever be renamed.
import { Handler, HostSession } from "./adapters/dynamic/handler";
import { tellEngine } from "./adapters/dynamic/tell-engine";
import type { ResourceDefinition } from "./definition/define-resource";
import * as registry from "./registry";

const session = new HostSession(tellEngine);

const handlers = Object.fromEntries(
  Object.entries(registry).map(([kind, definition]) => [
    kind,
    new Handler(definition as unknown as ResourceDefinition, session),
  ]),
);

export = handlers;
