import { createHmac, randomBytes } from "node:crypto";
import type { Region } from "@devid/sdk";
import type { Db } from "./db";
import type { Place } from "./records";

/**
 * Signs texts with a secret of the data file, so that the service can recognise texts
 * that it has issued.
 */
export class Signer {
  private readonly secret: string;

  constructor(db: Db) {
    db.run(
      "INSERT INTO settings (name, value) VALUES ('cursor_secret', ?) ON CONFLICT DO NOTHING",
      randomBytes(32).toString("hex"),
    );
    this.secret =
      db.value("SELECT value FROM settings WHERE name = 'cursor_secret'") ?? "";
  }

  /** The HMAC-SHA256 of a text in base64url, 43 characters. */
  sign(text: string): string {
    return createHmac("sha256", this.secret).update(text).digest("base64url");
  }
}

/**
 * Turns places in a list into opaque cursors and back. A cursor is signed
 * together with its list and its workspace, so a changed cursor, or one from
 * elsewhere, is refused.
 */
export class Cursors {
  constructor(private readonly signer: Signer) {}

  encode(list: string, workspace: Region, place: Place): string {
    const text = "after" in place ? `a${place.after}` : `b${place.before}`;
    const signature = this.signer.sign(`${list} ${workspace} ${text}`);
    return Buffer.from(`${text}.${signature}`).toString("base64url");
  }

  /** The place of a cursor; undefined for a text that is no cursor of this list. */
  decode(list: string, workspace: Region, cursor: string): Place | undefined {
    const decoded = Buffer.from(cursor, "base64url").toString();
    const [, side, seq] = /^(a|b)(\d{1,15})\./.exec(decoded) ?? [];
    if (seq === undefined) return undefined;
    const place =
      side === "a" ? { after: Number(seq) } : { before: Number(seq) };
    return this.encode(list, workspace, place) === cursor ? place : undefined;
  }
}
