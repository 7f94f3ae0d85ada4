// Live updates: the server says that something changed, the page is asked for again, what differs is replaced.
// It is loaded before htmx, so that it hears of the very first connection.
(() => {
  'use strict';
  const note = document.getElementById('live');
  const feed = document.getElementById('feed');
  const said = document.getElementById('said');
  if (!note || !feed) return;

  const PACE = 1500; // ms between two looks
  const words = note.querySelector('.words');
  let last = 0;
  let timer = 0;
  let lost = false;

  const stamp = () => document.getElementById('main').dataset.at;
  const show = (state, text) => {
    note.dataset.state = state;
    words.textContent = text;
  };
  const on = () => show('on', `Live, as of ${stamp()}`);
  const editing = () =>
    document.activeElement?.closest('main form') || document.querySelector('main form[data-touched]');

  async function refresh() {
    if (editing()) {
      show('news', 'Something changed since you began to write; load the page again to see it');
      return;
    }
    last = Date.now();
    const open = [...document.querySelectorAll('main details[id]')].map((d) => [d.id, d.open]);
    const address = location.pathname + location.search;
    await htmx.ajax('GET', address, { target: '#main', select: '#main', swap: 'outerMorph' });
    for (const [id, was] of open) {
      const found = document.getElementById(id);
      if (found) found.open = was;
    }
    document.dispatchEvent(new Event('serinus:new'));
    if (!lost) on();
  }

  function soon() {
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      refresh();
    }, Math.max(0, PACE - (Date.now() - last)));
  }

  document.addEventListener('input', (event) => {
    const form = event.target.closest('main form');
    if (form) form.dataset.touched = '';
  });
  feed.addEventListener('changed', soon);
  feed.addEventListener('htmx:sse:after:connection', () => {
    if (lost) {
      lost = false;
      said.textContent = 'Connected again.';
      soon();
    }
    on();
  });
  const gone = () => {
    if (!lost) said.textContent = 'The connection is lost; what you see may be old.';
    lost = true;
    show('lost', `Connection lost: this is as of ${stamp()}. Trying again …`);
  };
  feed.addEventListener('htmx:sse:error', gone);
  feed.addEventListener('htmx:sse:close', gone);
  feed.addEventListener('htmx:sse:before:connection', (event) => {
    if (event.detail?.connection?.attempt > 0 && !document.hidden) gone();
  });
  window.addEventListener('offline', gone);
})();
