"""Work in several processes: in order, and one clear error when one is killed."""

from __future__ import annotations

import os

import pytest

from twostep.compare.parallel import pool
from twostep.models.errors import TwostepError


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert list(pool.results_in_order(abs, [-3, 2, -1], 2)) == [3, 2, 1]
    assert list(pool.results_in_order(abs, [], 2)) == []


def test_a_killed_worker_is_one_clear_error() -> None:
    with pytest.raises(TwostepError, match="worker process was killed"):
        list(pool.results_in_order(os._exit, [1, 1], 2))
