import { cellsOf } from "../helpers/cells-of";
import { roomsAreKept } from "../helpers/rooms";

/**
 * The folders of the provider, and the folders that each may import. Code that a program loads is
 * separate from code that the provider's host needs.
 */
const ROOMS = `
ownership |
session | ownership
definition | session
lifecycle | definition ownership session
resources | definition ownership session
preview | adapters/plugin-settings.ts definition
registry.ts | resources
kinds.ts | registry.ts resources
functions | definition session
adapters/dynamic | adapters/engine-watch.ts adapters/error-limits.ts definition kinds.ts lifecycle session
program | definition functions registry.ts
adapters/engine-log.ts | session
adapters/engine-watch.ts |
adapters/error-limits.ts |
adapters/plugin-settings.ts | definition kinds.ts lifecycle session
adapters/plugin | adapters/engine-log.ts adapters/error-limits.ts adapters/plugin-settings.ts definition functions kinds.ts lifecycle session
generate | adapters/plugin definition functions registry.ts resources
`;

/** The public entries, which may import every folder. */
const ENTRIES = "index.ts plugin.ts provider.ts state.ts definitions.ts";

const rooms: Record<string, string[]> = {};
for (const [room = "", others = ""] of cellsOf(ROOMS))
  rooms[room] = others.split(" ");
roomsAreKept("provider/src", rooms, ENTRIES.split(" "));
