import { textOf } from "./repository";

/** The address of the local service in the examples of docs/official-clients.md. */
const SHOWN = "http://127.0.0.1:8787";

/**
 * The lines that docs/official-clients.md adds to the program of a client, with the
 * address of a running service. Throws if the page does not have the heading.
 */
export function addedLines(heading: string, url: string): string[] {
  const [, section = ""] =
    new RegExp(`^## ${heading}\n([^]*?)(?=^## |$(?![^]))`, "m").exec(
      textOf("docs/official-clients.md"),
    ) ?? [];
  const added = [...section.matchAll(/^\+(.*)$/gm)].map(([, line = ""]) =>
    line.trim().replaceAll(SHOWN, url),
  );
  if (added.length === 0)
    throw new Error(`docs/official-clients.md adds nothing at ${heading}.`);
  return added;
}
