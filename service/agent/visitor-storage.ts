/** 400 days, the most that browsers keep a cookie. */
const MAX_AGE_SECONDS = 34_560_000;

/** Form of the IDs that the service gives out (docs/assumptions.md, A74). */
const STORAGE_ID = /^[\w.-]{1,64}$/;

/**
 * Keeps the ID that the service gave to this browser, in a cookie and in local storage,
 * under the prefix followed by `t` (docs/assumptions.md, A77). If one of the two is
 * forbidden or was cleared, the other is enough.
 */
export class VisitorStorage {
  readonly #name: string;

  constructor(prefix: string) {
    this.#name = `${prefix}t`;
  }

  /** The kept ID; undefined if there is none, or if the page has overwritten it. */
  read(): string | undefined {
    return [this.#readCookie(), this.#readLocalStorage()].find(
      (id) => id !== undefined && STORAGE_ID.test(id),
    );
  }

  write(id: string): void {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    attempt(() => {
      document.cookie = `${encodeURIComponent(this.#name)}=${encodeURIComponent(id)}; Path=/; Max-Age=${MAX_AGE_SECONDS}; SameSite=Lax${secure}`;
    });
    attempt(() => localStorage.setItem(this.#name, id));
  }

  #readCookie(): string | undefined {
    const start = `${encodeURIComponent(this.#name)}=`;
    return attempt(() =>
      document.cookie
        .split("; ")
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length),
    );
  }

  #readLocalStorage(): string | undefined {
    return attempt(() => localStorage.getItem(this.#name)) ?? undefined;
  }
}

/** Returns undefined if the browser forbids the access, as in a sandboxed frame. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
