import { createHmac, randomBytes } from "node:crypto";
import type { Db } from "./db";

/**
 * Turns places, which are some numbers, into opaque texts and back: cursors of lists and
 * pagination keys of searches. A text is signed together with its purpose by a secret of
 * the data file, so a changed text, or one from elsewhere, is refused.
 */
export class Cursors {
  private readonly secret: string;

  constructor(db: Db) {
    db.run(
      "INSERT INTO settings (name, value) VALUES ('cursor_secret', ?) ON CONFLICT DO NOTHING",
      randomBytes(32).toString("hex"),
    );
    this.secret =
      db.value("SELECT value FROM settings WHERE name = 'cursor_secret'") ?? "";
  }

  /** @param purpose what the place is in: a list of a workspace, or a search */
  encode(purpose: string, place: readonly number[]): string {
    const numbers = place.map((number) => number.toString(36)).join(".");
    const signature = createHmac("sha256", this.secret)
      .update(`${purpose} ${numbers}`)
      .digest("base64url");
    return `${numbers}.${signature.slice(0, 22)}`;
  }

  /** The place of a text; undefined for a text that is none for this purpose. */
  decode(purpose: string, text: string): readonly number[] | undefined {
    const digits = text.split(".").slice(0, -1);
    const place = digits.map((number) => parseInt(number, 36));
    return this.encode(purpose, place) === text ? place : undefined;
  }
}
