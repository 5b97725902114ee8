import type { Selection } from "./selection";

/**
 * What environments are called where workspaces are compared: by their names,
 * equal ones with a number behind. The default environment is told by being it,
 * and an environment that alone was chosen by being that one.
 */
export function environmentTitles({
  workspace: { environments, defaultEnvironment },
  only,
}: Selection): (id: string | null | undefined) => string | undefined {
  const titles = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { id, name } of environments) {
    if (id === only?.id) titles.set(id, "the environment");
    else if (id === defaultEnvironment.id)
      titles.set(id, "the default environment");
    else {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      titles.set(id, count === 1 ? name : `${name} (${count})`);
    }
  }
  return (id) => (id ? (titles.get(id) ?? id) : undefined);
}
