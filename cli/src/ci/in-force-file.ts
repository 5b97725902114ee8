import { rmSync, writeFileSync } from "node:fs";

/** The file from which a program in YAML reads the digest of the rules in force. */
export const IN_FORCE_FILE = "in-force.txt";

/** Writes the file anew: a link of this name in the repository is not followed. */
export function writeInForce(digest: string): void {
  rmSync(IN_FORCE_FILE, { force: true });
  writeFileSync(IN_FORCE_FILE, `${digest}\n`, { flag: "wx" });
}
