/** Eighths of a block, the empty one first. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A part of all as a bar of block characters, at most `width` of them; what is not 0 shows. */
export function bar(part: number, all: number, width: number): string {
  if (part <= 0 || all <= 0) return "";
  const eighths = Math.min(Math.round((part / all) * width * 8), width * 8);
  const shown = Math.max(1, eighths);
  return "█".repeat(shown >> 3) + (EIGHTHS[shown & 7] ?? "");
}
