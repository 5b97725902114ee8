import type { Region } from "@devid/sdk";
import type { PagedTable, Place } from "./page";
import type { Signer } from "./signer";

/**
 * Turns places in a list into opaque cursors and back. A cursor is signed and
 * bound to its list and workspace: one that was tampered with, or belongs
 * elsewhere, is no cursor.
 */
export class Cursors {
  constructor(private readonly signer: Signer) {}

  encode(list: PagedTable, workspace: Region, place: Place): string {
    const text = "after" in place ? `a${place.after}` : `b${place.before}`;
    const signature = this.signer.sign(`${list} ${workspace} ${text}`);
    return Buffer.from(`${text}.${signature}`).toString("base64url");
  }

  /** The place, or undefined when this is not a cursor of this list. */
  decode(
    list: PagedTable,
    workspace: Region,
    cursor: string,
  ): Place | undefined {
    const decoded = Buffer.from(cursor, "base64url").toString();
    const [, side, seq] = /^(a|b)(\d{1,15})\./.exec(decoded) ?? [];
    if (seq === undefined) return undefined;
    const place =
      side === "a" ? { after: Number(seq) } : { before: Number(seq) };
    return this.encode(list, workspace, place) === cursor ? place : undefined;
  }
}
