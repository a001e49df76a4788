import js from "@eslint/js";

/** Globals of Node that the code uses. */
const globals = Object.fromEntries(
  ["process", "Buffer", "URL", "URLSearchParams", "AbortController", "fetch", "setTimeout"]
    .concat([
      "clearTimeout",
      "setImmediate",
      "setInterval",
      "clearInterval",
      "performance",
      "NodeJS",
      "RequestInit",
    ])
    .map((name) => [name, "readonly"]),
);

const TIME = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"];

export default [
  { ignores: ["fixtures/**", "test/corpus/**", "bench/*.js"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: "latest", sourceType: "module", globals },
    rules: { "prefer-const": "error", eqeqeq: "error", "object-shorthand": "error" },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: { sourceType: "commonjs", globals: { ...globals, require: "readonly" } },
  },
  // In the service's own thread, where its tests replace them.
  {
    files: ["src/*.js", "src/{runtime,service,sql}/**/*.js"],
    ignores: ["src/time.js"],
    rules: { "no-restricted-globals": ["error", ...TIME] },
  },
  // The helper compares as the code of the service does.
  { files: ["src/runtime/conditions.js"], rules: { eqeqeq: "off" } },
];
