import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Kills a process and all processes that it has started, without a warning. */
export async function killTree(ancestor: number): Promise<void> {
  const below = await descendants(ancestor);
  for (const pid of [ancestor, ...below])
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process ended together with its parent.
    }
}

/**
 * The IDs of all descendants of a process. The engine starts each host in its
 * own process group, so killing one group is not enough.
 */
async function descendants(ancestor: number): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const processes = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    processes
      .filter(([, ppid]) => ppid === parent)
      .flatMap(([pid = 0]) => [pid, ...below(pid)]);
  return below(ancestor);
}
