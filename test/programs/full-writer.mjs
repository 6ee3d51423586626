// The writer's thread on a disk that takes no page more than the database has.
import Sqlite from 'better-sqlite3';

const { pragma } = Sqlite.prototype;
Sqlite.prototype.pragma = function (source, options) {
  if (source.startsWith('synchronous')) pragma.call(this, 'max_page_count = 1');
  return pragma.call(this, source, options);
};
await import('../../dist/store/writer-thread.js');
