import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

// A script of its own, loaded with the first code block. Each language also has its short names (`ts`, `sh`, `html`).
const languages = { bash, c, cpp, csharp, css, diff, go, java, javascript, json, kotlin, php, python, ruby, rust, sql };
for (const [name, language] of Object.entries({ ...languages, swift, typescript, xml, yaml })) {
  core.registerLanguage(name, language);
}

window.karlHighlight = (code, language) =>
  core.getLanguage(language) === undefined ? undefined : core.highlight(code, { language, ignoreIllegals: true }).value;
