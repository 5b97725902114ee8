import { Command } from "commander";
import { eventsExport } from "./events-export";
import { eventsGet } from "./events-get";
import { eventsSearch } from "./events-search";
import { eventsUpdate } from "./events-update";

/** `devid events`: the commands for identification events of the workspace. */
export function events(): Command {
  return new Command("events")
    .addCommand(eventsGet())
    .addCommand(eventsSearch())
    .addCommand(eventsUpdate())
    .addCommand(eventsExport());
}
