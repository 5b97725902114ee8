import { removeFiles, writeTo } from "../output/write-output";

/** The file from which a program in YAML reads the digest of the rules in force. */
export const IN_FORCE_FILE = "in-force.txt";

/** Writes the file anew: a link of this name in the repository is not followed. */
export function writeInForce(digest: string): void {
  removeFiles(IN_FORCE_FILE);
  writeTo(IN_FORCE_FILE, `${digest}\n`, { flag: "wx" });
}
