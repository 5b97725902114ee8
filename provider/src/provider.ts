// The text in every state loads this module by its name and takes a handler by
// its kind from it: neither may ever be renamed.
import type { ResourceDefinition } from "./definition/define-resource";
import { Handler } from "./adapters/dynamic/handler";
import { ReadCount } from "./session/read-count";
import * as registry from "./registry";

const reads = new ReadCount();

const handlers = Object.fromEntries(
  Object.entries(registry).map(([kind, definition]) => [
    kind,
    new Handler(definition as unknown as ResourceDefinition, reads),
  ]),
);

export = handlers;
