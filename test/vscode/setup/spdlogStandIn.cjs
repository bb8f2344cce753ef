// Stands in for the native module @vscode/spdlog, through which every log file and output channel of VS Code is
// written; without it they stay empty. No file grows so long that it would have to be rotated. Names are exported one by
// one: an ES module loader reads them statically.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = [
  ['trace', 'trace'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['critical', 'critical'],
];

class Logger {
  constructor(file) {
    this.file = file;
    this.level = 2;
    this.formatted = true;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, '');
  }
  write(level, message) {
    if (level < this.level) return;
    const line = this.formatted ? `${localTime(new Date())} [${LEVELS[level][1]}] ${message}\n` : message;
    // The folder of a window that was closed may be gone: a late line is then of no use to anyone.
    if (fs.existsSync(path.dirname(this.file))) fs.appendFileSync(this.file, line);
  }
  setPattern() {
    this.formatted = true;
  }
  clearFormatters() {
    this.formatted = false;
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
}
/** Every line is written at once: there is nothing to flush or to set up. */
function doNothing() {
  return undefined;
}

Logger.prototype.flush = doNothing;
Logger.prototype.drop = doNothing;
LEVELS.forEach(([method], level) => {
  Logger.prototype[method] = function (message) {
    this.write(level, message);
  };
});

function localTime(date) {
  const two = (number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

exports.version = 0;
exports.setLevel = doNothing;
exports.setFlushOn = doNothing;
exports.Logger = Logger;
exports.createRotatingLogger = async (_name, file) => new Logger(file);
exports.createAsyncRotatingLogger = async (_name, file) => new Logger(file);
