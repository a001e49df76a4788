"use strict";
(() => {
  const find = (selector, within) => Array.from((within || document).querySelectorAll(selector));
  const search = document.getElementById("search");
  const severity = document.getElementById("severity");
  const isNew = document.getElementById("new");
  const matches = document.getElementById("matches");
  const items = find(".item");

  // An item is shown if it holds every word; faults also by severity and state.
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const text = item.dataset.text || "";
      const isFault = item.classList.contains("fault");
      const fits = words.every((word) => text.includes(word))
        && (!isFault || !severity.value || item.dataset.severity === severity.value)
        && (!isFault || !isNew.checked || item.dataset.state === "new");
      item.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    for (const group of find(".group")) {
      group.hidden = !find(".item", group).some((item) => !item.hidden);
    }
    const isFiltered = words.length > 0 || severity.value || isNew.checked;
    matches.textContent = isFiltered ? shown + " of " + items.length + " shown" : "";
  };
  for (const control of [search, severity, isNew]) control.addEventListener("input", filter);

  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || "");
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      filter();
    }
  });

  // What a link leads to is opened.
  const open = () => {
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let at = place; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    place.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  open();

  document.addEventListener("click", (event) => {
    if (!event.target.classList || !event.target.classList.contains("copy")) return;
    const button = event.target;
    const source = button.parentElement.querySelector("pre");
    const said = (text) => {
      button.textContent = text;
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    };
    const select = () => {
      const range = document.createRange();
      range.selectNodeContents(source);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      said(document.execCommand("copy") ? "Copied" : "Selected");
    };
    if (navigator.clipboard) {
      navigator.clipboard.writeText(source.textContent).then(() => said("Copied"), select);
    } else {
      select();
    }
  });
})();
