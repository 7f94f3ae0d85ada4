"""An operator's shell may hold the variables of an application too."""

from serinus.config.keys import APPLICATION_VARIABLES
from serinus.config.load import inspect
from serinus.traffic.client.exclusions import SOURCE, TOKEN, TOKEN_FILE
from serinus.traffic.litellm_hook import FLOOR


def test_the_variables_of_applications_are_no_settings_and_no_mistakes(tmp_path):
    assert {SOURCE, TOKEN, TOKEN_FILE, FLOOR} == APPLICATION_VARIABLES
    file = tmp_path / "serinus.toml"
    file.write_text('[[model]]\nid = "acme/story-70b"\n', encoding="utf-8")
    assert inspect(file, dict.fromkeys(APPLICATION_VARIABLES, "x")).problems == ()
