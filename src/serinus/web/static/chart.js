// Draws times to first token with uPlot in place of the picture that the server drew: values under the pointer,
// and a zoom by dragging. The points are those of the picture.
(() => {
  'use strict';
  let plots = [];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function draw() {
    for (const plot of plots) plot.destroy();
    plots = [];
    if (!window.uPlot) return;
    for (const figure of document.querySelectorAll('figure[data-points]')) {
      const points = JSON.parse(figure.dataset.points);
      if (points.length < 2) continue;
      const limit = Number(figure.dataset.limit);
      const picture = figure.querySelector('svg');
      const place = figure.querySelector('.plot');
      picture.setAttribute('hidden', '');
      picture.style.display = 'none';
      const xs = points.map((p) => p[0]);
      const span = xs[xs.length - 1] - xs[0];
      const two = (n) => String(n).padStart(2, '0');
      const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
      const date = (t) => `${two(new Date(t * 1e3).getUTCDate())} ${months[new Date(t * 1e3).getUTCMonth()]}`;
      const clock = (t) => `${two(new Date(t * 1e3).getUTCHours())}:${two(new Date(t * 1e3).getUTCMinutes())}`;
      const second = (t) => `${clock(t)}:${two(new Date(t * 1e3).getUTCSeconds())}`;
      const foot = span > 2 * 86400 ? date : span < 600 ? second : clock;
      const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line') } };
      plots.push(
        new uPlot(
          {
            width: place.clientWidth,
            height: 240,
            tzDate: (at) => uPlot.tzDate(new Date(at * 1e3), 'Etc/UTC'),
            scales: { y: { range: (_u, _low, high) => [0, Math.max(high, limit) * 1.08] } },
            axes: [{ ...axis, grid: { show: false }, space: 70, values: (_u, ticks) => ticks.map(foot) }, { ...axis, values: (_u, ticks) => ticks.map((t) => `${t} s`) }],
            series: [
              { label: 'round', value: (_u, v) => (v == null ? '–' : `${date(v)} ${clock(v)} UTC`) },
              {
                label: 'first text',
                stroke: colour('--link'),
                width: 1.5,
                points: { show: true, size: 5 },
                value: (_u, v) => (v == null ? '–' : `${v.toFixed(2)} s`),
              },
              { label: 'limit', stroke: colour('--bad'), dash: [6, 4], points: { show: false }, value: () => `${limit} s` },
            ],
          },
          [xs, points.map((p) => p[1]), xs.map(() => limit)],
          place,
        ),
      );
    }
  }

  draw();
  document.addEventListener('serinus:new', draw);
  let resizing = 0;
  addEventListener('resize', () => {
    clearTimeout(resizing);
    resizing = setTimeout(draw, 150);
  });
})();
