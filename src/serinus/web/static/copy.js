// A button that copies what it names. Without JavaScript there is none, and the text can be selected.
(() => {
  'use strict';
  const arm = () => {
    for (const button of document.querySelectorAll('button[data-copy]')) {
      button.hidden = false;
      button.onclick = async () => {
        const text = document.getElementById(button.dataset.copy).textContent;
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = 'Copied';
        } catch {
          getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
          button.textContent = 'Selected: copy it with your keyboard';
        }
      };
    }
  };
  arm();
  document.addEventListener('serinus:new', arm);
})();
