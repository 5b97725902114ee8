import { SeededRandom } from "./seeded-random";

/** The time span of a corpus, counted back from its end. */
export const CORPUS_MS = 6 * 24 * 3_600_000;

/** Events for each visitor, on average. A linked ID and an address have twice as many. */
const EVENTS_PER_VISITOR = 10;

/** Values for searches of a corpus. */
export interface CorpusKeys {
  readonly visitor_id: string;
  readonly linked_id: string;
  readonly ip_address: string;
}

/** Events of a web shop, equal in every run, in order of time. */
export class EventCorpus {
  readonly #random: SeededRandom;

  constructor(
    readonly count: number,
    private readonly endMs: number,
    seed: number,
  ) {
    this.#random = new SeededRandom(seed);
  }

  /** The events from an index on. */
  batch(from: number, size: number): object[] {
    return Array.from({ length: size }, (_, n) => {
      const keys = this.keys();
      return {
        timestamp: this.#timeOf(from + n),
        linked_id: keys.linked_id,
        ip_address: keys.ip_address,
        identification: {
          visitor_id: keys.visitor_id,
          visitor_found: true,
          confidence: { score: 0.98 },
        },
        url: "https://shop.example/checkout",
        origin: "https://shop.example",
        user_agent:
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36",
        sdk: { platform: "js", version: "4.1.5" },
        bot: this.#random.chance(0.03) ? "bad" : "not_detected",
        vpn: this.#random.chance(0.1),
        incognito: this.#random.chance(0.05),
        suspect_score: this.#random.below(30),
      };
    });
  }

  #timeOf(n: number): number {
    const passed = (n / this.count) * CORPUS_MS;
    return Math.floor(this.endMs - CORPUS_MS + passed);
  }

  /** Keys that some events have. */
  keys(): CorpusKeys {
    const visitors = Math.ceil(this.count / EVENTS_PER_VISITOR);
    const half = Math.ceil(visitors / 2);
    const host = this.#random.below(half);
    return {
      visitor_id: `visitor${this.#random.below(visitors)}`,
      linked_id: `user-${this.#random.below(half)}`,
      ip_address: `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`,
    };
  }
}
