//! The page in a browser: Debian's Chromium without a screen, from the file system.

#![allow(clippy::print_stdout, reason = "measures are told")]

use std::path::Path;
use std::process::Command;

use wallace_suite::report::html;

use crate::reports;

/// Run inside of the page; what it says is read back from the title.
const PROBE: &str = r#"<script>
addEventListener("load", () => {
  const said = {};
  const all = Array.from(document.querySelectorAll(".item"));
  const shown = () => all.filter((item) => !item.hidden).length;
  const set = (id, value) => {
    const control = document.getElementById(id);
    if (control.type === "checkbox") control.checked = value; else control.value = value;
    control.dispatchEvent(new Event("input"));
  };
  said.all = shown();
  set("search", "RANGE f970"); said.searched = shown();
  said.empty = Array.from(document.querySelectorAll(".group")).filter((group) => group.hidden).length;
  set("search", ""); set("severity", "high");
  said.high = Array.from(document.querySelectorAll(".fault")).filter((item) => !item.hidden).length;
  set("severity", ""); set("new", true);
  said.isNew = Array.from(document.querySelectorAll(".fault")).filter((item) => !item.hidden).length;
  set("new", false); said.again = shown();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
  said.focus = document.activeElement.id;
  const summary = document.querySelector(".fault summary");
  summary.focus(); said.canFocus = document.activeElement === summary;
  location.hash = document.querySelector(".fault").id;
  setTimeout(() => {
    said.opened = document.querySelector(".fault").open;
    said.width = document.documentElement.scrollWidth;
    said.inner = innerWidth;
    said.load = Math.round(performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd);
    const text = "said " + JSON.stringify(said);
    if (parent === window) document.title = text; else parent.postMessage(text, "*");
  }, 50);
});
</script>"#;

/// A page that shows the other in a frame of a phone's width, which no window of the browser has.
const FRAME: &str = "<!DOCTYPE html><title>frame</title><script>addEventListener('message', \
    (event) => { document.title = event.data; });</script><iframe src=\"report.html\" \
    style=\"width:WIDTHpx;height:700px;border:0\"></iframe>";

/// The page as the browser has it in the end, and what it complained about.
fn open(path: &Path) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            "--hide-scrollbars",
        ])
        .args(["--enable-logging=stderr", "--virtual-time-budget=4000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg("--window-size=1280,800")
        .arg(format!("file://{}", path.display()))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_page_works_from_the_file_system_on_a_phone_and_by_keyboard() {
    let has_browser = Command::new("chromium").arg("--version").output().is_ok();
    if std::env::var_os("RUN_SLOW_TESTS").is_none() || !has_browser {
        println!("skipped: set RUN_SLOW_TESTS=1 and install chromium");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    let page = html(&reports::record(100));
    std::fs::write(&path, page.replace("</body>", &format!("{PROBE}</body>"))).unwrap();
    let phone = folder.path().join("phone.html");
    std::fs::write(&phone, FRAME.replace("WIDTH", "360")).unwrap();
    for (path, width) in [(&phone, 360), (&path, 1280)] {
        let (dom, log) = open(path);
        let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(complaints.is_empty(), "{complaints:#?}");
        let said = dom.split("<title>said ").nth(1).and_then(|rest| rest.split("</title>").next());
        let said = said.unwrap_or_else(|| panic!("the page did not answer: {log}"));
        println!("width {width}: {said}");
        let said: serde_json::Value = serde_json::from_str(&said.replace("&quot;", "\"")).unwrap();
        let number = |name: &str| said[name].as_u64().unwrap();
        assert_eq!((number("searched"), number("empty")), (1, 2), "{said}");
        assert_eq!((number("high"), number("isNew")), (3, 2), "{said}");
        assert!(number("all") > 500 && number("again") == number("all"), "{said}");
        assert_eq!(said["focus"], "search");
        assert_eq!((&said["canFocus"], &said["opened"]), (&true.into(), &true.into()));
        assert_eq!(number("inner"), width);
        assert!(number("width") <= width, "it is wider than the window: {said}");
    }
}
