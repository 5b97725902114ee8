/** Version of this package, which every request tells; a test holds it equal to package.json. */
export const version = "0.1.0";
