import { Command } from "commander";
import { addCommands, type CommandTable } from "../../command-table";

const COMMANDS: CommandTable = {
  get: {
    description: "show an event",
    examples: [
      [
        "devid events get 1708102555327.NLOjmg",
        "show the main fields of an event",
      ],
      ["devid events get 1708102555327.NLOjmg --json", "print all of it"],
    ],
    load: async () => (await import("./events-get.js")).eventsGet(),
  },
  search: {
    description: "list matching events (default: of the last 7 days)",
    examples: [
      [
        "devid events search --bot bad --start 24h",
        "list bad bots of the last day",
      ],
      [
        "devid events search --visitor-id Ibk1527CUFmcnjLwIs4A --limit 50",
        "list the events of a visitor",
      ],
    ],
    load: async () => (await import("./events-search.js")).eventsSearch(),
  },
  update: {
    description:
      "change the linked ID, the tags or the suspect flag of an event",
    examples: [
      [
        "devid events update 1708102555327.NLOjmg --suspect true",
        "flag an event",
      ],
      [
        `devid events update 1708102555327.NLOjmg --tags '{"order":"42"}'`,
        "replace its tags",
      ],
    ],
    load: async () => (await import("./events-update.js")).eventsUpdate(),
  },
  export: {
    description:
      "write events that match to a file, one a line, oldest first; the next run with the same file adds what has happened since",
    examples: [
      [
        "devid events export --out events.ndjson --start 30d",
        "write a month of events; the next run adds new events",
      ],
    ],
    load: async () => (await import("./events-export.js")).eventsExport(),
  },
};

/** `devid events`: the commands for identification events of the workspace. */
export function events(args: readonly string[]): Promise<Command> {
  return addCommands(new Command("events"), COMMANDS, args);
}
