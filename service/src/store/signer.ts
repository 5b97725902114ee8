import { createHmac, randomBytes } from "node:crypto";
import type { Database } from "./database";

/** Signs texts with a secret of the data file, so that what was handed out is known again. */
export class Signer {
  private readonly secret: string;

  constructor(db: Database) {
    db.run(
      "INSERT INTO settings (name, value) VALUES ('cursor_secret', ?) ON CONFLICT DO NOTHING",
      randomBytes(32).toString("hex"),
    );
    const row = db.get<{ value: string }>(
      "SELECT value FROM settings WHERE name = 'cursor_secret'",
    );
    this.secret = row?.value ?? "";
  }

  /** HMAC-SHA256 in base64url, 43 characters. */
  sign(text: string): string {
    return createHmac("sha256", this.secret).update(text).digest("base64url");
  }
}
