// Many senders at once, each with a connection of its own that stays open.
import http from 'node:http';

export class Senders {
  #agent;
  #socketPath;

  constructor(socketPath, connections) {
    this.#socketPath = socketPath;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }

  // `count` messages, at most `atOnce` of them under way; `message(i)` is the body of the i-th.
  async send(count, atOnce, message) {
    let next = 0;
    const sender = async () => {
      while (next < count) await this.#post(JSON.stringify(message(next++)));
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
  }

  #post(body) {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { socketPath: this.#socketPath, path: '/api/v1/messages', method: 'POST', headers };
    return new Promise((resolve, reject) => {
      const request = http.request({ ...options, agent: this.#agent }, (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 202 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
