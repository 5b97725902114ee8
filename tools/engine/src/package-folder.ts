import path from "node:path";

/** Root folder of this package; the sources are there in every clone. */
export const packageFolder = path.resolve(__dirname, "..");
