"""Writes a picture of a frame on a page of `proxbench report`.

usage: picture.py PAGE SCENARIO VARIANT FRAME FILE.png
"""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..', 'tests'))
from webdriver import Browser  # noqa: E402

SHOW = '''const [scenario, variant, frame] = arguments;
  const set = (id, value) => {
    const control = document.getElementById(id);
    control.value = value;
    control.dispatchEvent(new Event(id === 'scenario' ? 'change' : 'input'));
  };
  set('scenario', scenario);
  const row = [...document.querySelectorAll('.row')].find(r => r.cell.raw.variant === variant);
  row.querySelector('.strip').dispatchEvent(new KeyboardEvent('keydown', {key: 'Home'}));
  set('number', frame);
  document.getElementById('reset').click();
  document.querySelector('#frames .controls').scrollIntoView();'''


page, scenario, variant, frame, file = sys.argv[1:6]
with Browser() as browser:
    browser.screen(1140, 760)
    browser.visit('file://' + os.path.abspath(page))
    browser.run(SHOW, scenario, variant, frame)
    time.sleep(1)
    browser.screenshot(file)
